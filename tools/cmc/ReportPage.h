//===- ReportPage.h - Style and behaviour of the HTML report ----------------------------===//
//
// Lines of the three columns carry the number of the source line that they come from
// (data-at); pointing at one marks the others, a click brings them into view.
//
//===-------------------------------------------------------------------------------------===//
#pragma once

constexpr const char *ReportStyle = R"(
:root { color-scheme: light dark; --mark: light-dark(#ffe9a8, #5a4a12); --line: light-dark(#d5d8dd, #3a3f47);
        --dim: light-dark(#667, #99a); --bar: light-dark(#7fb2e5, #34648f); --hot: light-dark(#b3261e, #ff8a80); }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; margin: 2em 0 .4em; } h3 { font-size: 1em; margin: 1em 0 .3em; }
table { border-collapse: collapse; } th { text-align: left; color: var(--dim); font-weight: normal; }
td, th { padding: .15em 1em .15em 0; vertical-align: top; border-bottom: 1px solid var(--line); }
td.n { text-align: right; } code, pre, .pane { font: 12px/1.4 ui-monospace, monospace; }
.hot { color: var(--hot); } .dim { color: var(--dim); }
.code { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: .6em; }
.pane { border: 1px solid var(--line); height: 70vh; overflow: auto; }
.pane b { display: block; position: sticky; top: 0; left: 0; background: Canvas; padding: .2em .5em;
          border-bottom: 1px solid var(--line); }
.pane div { padding: 0 .5em; white-space: pre; min-width: max-content; } .pane div[data-at] { cursor: pointer; }
.pane div.on { background: var(--mark); } .pane i { color: var(--dim); font-style: normal; }
.load { display: inline-block; width: 60px; margin-right: .6em; background: var(--line); }
.load u { display: block; height: .7em; background: var(--bar); } .load u.full { background: var(--hot); }
)";

constexpr const char *ReportScript = R"(
for (const code of document.querySelectorAll('.code')) {
  const lines = [...code.querySelectorAll('[data-at]')];
  const at = e => e.target.closest('[data-at]');
  code.addEventListener('mouseover', e => {
    const here = at(e);
    if (here) for (const l of lines) l.classList.toggle('on', l.dataset.at === here.dataset.at);
  });
  code.addEventListener('click', e => {
    const here = at(e);
    if (!here) return;
    for (const pane of code.querySelectorAll('.pane')) {
      const first = lines.find(l => pane.contains(l) && l.dataset.at === here.dataset.at);
      if (first && !pane.contains(here)) pane.scrollTop = first.offsetTop - pane.offsetTop - pane.clientHeight / 3;
    }
  });
}
)";
