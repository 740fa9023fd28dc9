//===- LinkedLines.h - Panes of an HTML report whose lines belong together ---------------===//
//
//     <div class=code><div class=pane><div data-at=12>...</div></div><div class=pane>...</div></div>
//
// Pointing at a line marks those of all panes with the same data-at; a click brings them into view.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

namespace pocm::html {

constexpr const char *LinkedLinesScript = R"(
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

} // namespace pocm::html
