/**
 * The stylesheet of the pages that the server renders; light and dark by the system's choice. Its tokens are those of
 * `src/web/app/ui/tokens.css`, which a test compares: these pages work where the front end is not built.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --font: 'Inter', system-ui, 'Liberation Sans', 'Segoe UI', Roboto, sans-serif;
  --mono: ui-monospace, 'Liberation Mono', Menlo, Consolas, monospace;
  --page: light-dark(oklch(0.981 0.003 265), oklch(0.175 0.012 265));
  --surface: light-dark(oklch(1 0 0), oklch(0.214 0.013 265));
  --raised: light-dark(oklch(0.951 0.006 265), oklch(0.278 0.015 265));
  --line: light-dark(oklch(0.912 0.008 265), oklch(0.331 0.016 265));
  --edge: light-dark(oklch(0.62 0.018 265), oklch(0.62 0.018 265));
  --text: light-dark(oklch(0.235 0.022 265), oklch(0.953 0.005 265));
  --muted: light-dark(oklch(0.473 0.021 265), oklch(0.757 0.016 265));
  --link: light-dark(oklch(0.48 0.19 265), oklch(0.778 0.115 265));
  --focus: light-dark(oklch(0.55 0.21 265), oklch(0.74 0.14 265));
  --brand: light-dark(oklch(0.51 0.215 268), oklch(0.74 0.13 268));
  --on-brand: light-dark(oklch(1 0 0), oklch(0.19 0.03 268));
  --good: light-dark(oklch(0.44 0.11 155), oklch(0.82 0.13 155));
  --good-surface: light-dark(oklch(0.957 0.036 158), oklch(0.285 0.05 158));
  --bad: light-dark(oklch(0.5 0.19 25), oklch(0.78 0.13 22));
  --bad-surface: light-dark(oklch(0.962 0.022 20), oklch(0.29 0.07 22));
}
* { box-sizing: border-box; }
html { font: 15px/1.5 var(--font); }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
header {
  display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between;
  padding: 12px 16px; background: var(--surface); border-bottom: 1px solid var(--line);
}
header .brand { display: flex; gap: 8px; align-items: center; font-weight: 650; letter-spacing: -0.01em; color: var(--text); text-decoration: none; padding: 4px 0; }
header .who { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; color: var(--muted); font-size: 14px; }
main { width: 100%; max-width: 440px; margin: 0 auto; padding: 32px 16px 64px; }
main.wide { max-width: 720px; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 16px; letter-spacing: -0.015em; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 12px; }
p { margin: 0 0 12px; }
a { color: var(--link); }
section, .card {
  background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 24px; margin: 0 0 16px; box-shadow: 0 1px 2px oklch(0.2 0.02 265 / 0.08);
}
section > :last-child, .card > :last-child { margin-bottom: 0; }
.field { margin: 0 0 16px; }
label { display: block; font-weight: 600; margin: 0 0 4px; }
.hint { color: var(--muted); font-size: 14px; margin: 0 0 4px; }
.fault { color: var(--bad); font-size: 14px; margin: 4px 0 0; }
input {
  width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: var(--surface);
  border: 1px solid var(--edge); border-radius: 8px;
}
input[aria-invalid='true'] { border-color: var(--bad); border-width: 2px; }
button, .button {
  display: inline-block; min-height: 44px; padding: 8px 20px; font: inherit; font-weight: 600; border-radius: 8px;
  border: 1px solid var(--brand); background: var(--brand); color: var(--on-brand); cursor: pointer;
  text-decoration: none; text-align: center;
}
button:hover, .button:hover { text-decoration: underline; }
button.quiet, .button.quiet { background: transparent; color: var(--link); border-color: var(--edge); }
button.danger { background: transparent; color: var(--bad); border-color: var(--bad); }
header button { min-height: 32px; padding: 2px 12px; font-size: 14px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
form { margin: 0 0 16px; }
form.inline { display: inline-block; margin: 0; }
.alert, .notice { border-radius: 6px; padding: 12px 16px; margin: 0 0 16px; border: 1px solid; }
.alert { color: var(--bad); background: var(--bad-surface); }
.notice { color: var(--good); background: var(--good-surface); }
.alert :last-child, .notice :last-child { margin-bottom: 0; }
.quiet-text { color: var(--muted); }
ul.plain { list-style: none; margin: 0 0 16px; padding: 0; }
ul.plain > li { padding: 12px 0; border-top: 1px solid var(--line); }
ul.plain > li:first-child { border-top: 0; padding-top: 0; }
ul.choices > li { padding: 0; border: 0; margin: 0 0 8px; }
ul.choices a {
  display: block; padding: 12px 16px; background: var(--surface); border: 1px solid var(--edge);
  border-radius: 8px; color: inherit; text-decoration: none;
}
ul.choices a:hover strong { text-decoration: underline; }
ul.choices strong { display: block; color: var(--link); }
dl { margin: 0 0 12px; display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
dt { color: var(--muted); }
dd { margin: 0; }
.qr { display: block; width: 220px; height: 220px; max-width: 100%; background: #ffffff; border-radius: 6px; margin: 0 0 12px; }
code, .codes { font-family: var(--mono); }
.codes { columns: 2; list-style: none; padding: 0; margin: 0 0 16px; }
.codes li { padding: 4px 0; }
@media (max-width: 400px) { dl { grid-template-columns: 1fr; } }
@media print { header { display: none; } }
`;
