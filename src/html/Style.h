//===- Style.h - Style of pages about launches ------------------------------------------===//
//
// What Elements.h, Roofline.h and Code.h make; source lines and instructions that belong together
// are linked by LinkedLines.h.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace pocm::html {

constexpr const char *Style = R"(
:root { color-scheme: light dark; --line: light-dark(#d9dde3, #3a3f47); --dim: light-dark(#5d6673, #9aa3b0);
        --bar: light-dark(#3f7fbf, #5b9bd8); --mark: light-dark(#fff0b8, #54461a); --hot: light-dark(#c2410c, #fb923c);
        --c0: #8a93a0; --c1: #3f7fbf; --c2: #7a5bb5; --c3: #c2410c; --c4: #d99a1c; --c5: #2f8f6b; --c6: #8d6e4f;
        --c7: #b5487a; --c8: #5b6ee1; --c9: #a3b8cc; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em auto; max-width: 1500px; padding: 0 1.5em; }
h1 { font-size: 1.4em; margin-bottom: .2em; } h2 { font-size: 1.05em; margin: 1.6em 0 .5em; }
p { margin: .3em 0; } .dim, small { color: var(--dim); }
.tiles { display: flex; flex-wrap: wrap; gap: .8em; margin: 1em 0; }
.tiles div { border: 1px solid var(--line); border-radius: 6px; padding: .5em .9em; min-width: 7em; }
.tiles b { display: block; font-size: 1.35em; font-weight: 600; }
.tiles span { color: var(--dim); font-size: .9em; }
.stack { display: flex; height: 1.6em; border-radius: 4px; overflow: hidden; border: 1px solid var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: .2em 1.4em; margin-top: .5em; }
.legend i, .key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 0 2.5em; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .15em .8em .15em 0; text-align: left;
        border-bottom: 1px solid var(--line); } th { color: var(--dim); font-weight: normal; }
td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--dim); }
.axis { stroke: var(--line); } .roof { stroke: var(--bar); stroke-width: 2; fill: none; }
.code { display: grid; grid-template-columns: 1fr 1fr; gap: .8em; } .code.one { grid-template-columns: 1fr; }
.pane { border: 1px solid var(--line); border-radius: 6px; height: 75vh; overflow: auto;
        font: 12px/1.5 ui-monospace, monospace; }
.pane > b { display: block; position: sticky; top: 0; background: Canvas; padding: .3em .6em; z-index: 1;
            border-bottom: 1px solid var(--line); font: 600 13px system-ui, sans-serif; }
.pane > div { display: flex; padding: 0 .6em; white-space: pre; min-width: max-content; }
.pane > div[data-at] { cursor: pointer; } .pane > div.on { background: var(--mark); }
.pane u { flex: none; width: 70px; margin: .35em .6em .35em 0; text-decoration: none; background: var(--line); }
.pane u s { display: block; height: 100%; text-decoration: none; } .pane em { flex: none; width: 4.5em;
            text-align: right; margin-right: 1em; font-style: normal; color: var(--dim); }
.pane em.hot { color: var(--hot); font-weight: 600; } .pane i { flex: none; width: 4.5em; color: var(--dim);
            font-style: normal; }
@media (max-width: 900px) { .code { grid-template-columns: 1fr; } }
)";

} // namespace pocm::html
