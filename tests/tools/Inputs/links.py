"""Says which links of a folder's pages lead nowhere. usage: links.py FOLDER"""
import pathlib
import re
import sys

dead = [f"{page}: {target}" for page in sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S))
        if "://" not in target and not (page.parent / target).exists()]
print("\n".join(dead))
sys.exit(bool(dead))
