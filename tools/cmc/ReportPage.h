//===- ReportPage.h - Style of the HTML report ------------------------------------------===//
//
// Lines of the three columns carry the number of the source line that they come from, by which html/LinkedLines.h
// links them.
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
