/** The stylesheet of the pages that the server renders; light and dark by the system's choice. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9;
  --surface: #ffffff;
  --text: #1b2330;
  --text-quiet: #515c6b;
  --line: #d5dae1;
  --line-strong: #7c8795;
  --accent: #1f5fbf;
  --accent-strong: #184c9b;
  --on-accent: #ffffff;
  --danger: #b3261e;
  --danger-ground: #fdecea;
  --good: #1a6b3c;
  --good-ground: #e8f5ed;
  --focus: #1f5fbf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c;
    --surface: #1a2029;
    --text: #e7ebf0;
    --text-quiet: #a9b4c2;
    --line: #333d4a;
    --line-strong: #7d8999;
    --accent: #8ab4f8;
    --accent-strong: #aecbfa;
    --on-accent: #0e1726;
    --danger: #f5a199;
    --danger-ground: #3a1d1b;
    --good: #8fd3a8;
    --good-ground: #16301f;
    --focus: #8ab4f8;
  }
}
* { box-sizing: border-box; }
html { font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
header {
  display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between;
  padding: 12px 16px; background: var(--surface); border-bottom: 1px solid var(--line);
}
header .brand { font-weight: 600; color: var(--text); text-decoration: none; padding: 4px 0; }
header .who { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; color: var(--text-quiet); font-size: 14px; }
main { width: 100%; max-width: 440px; margin: 0 auto; padding: 32px 16px 64px; }
main.wide { max-width: 720px; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 16px; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 12px; }
p { margin: 0 0 12px; }
a { color: var(--accent); }
section, .card {
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 20px; margin: 0 0 16px;
}
section > :last-child, .card > :last-child { margin-bottom: 0; }
.field { margin: 0 0 16px; }
label { display: block; font-weight: 600; margin: 0 0 4px; }
.hint { color: var(--text-quiet); font-size: 14px; margin: 0 0 4px; }
.fault { color: var(--danger); font-size: 14px; margin: 4px 0 0; }
input {
  width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: var(--surface);
  border: 1px solid var(--line-strong); border-radius: 6px;
}
input[aria-invalid='true'] { border-color: var(--danger); border-width: 2px; }
button, .button {
  display: inline-block; min-height: 44px; padding: 8px 20px; font: inherit; font-weight: 600; border-radius: 6px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer;
  text-decoration: none; text-align: center;
}
button:hover, .button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button.quiet, .button.quiet { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
button.quiet:hover, button.danger:hover, .button.quiet:hover { text-decoration: underline; }
header button { min-height: 32px; padding: 2px 12px; font-size: 14px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
form { margin: 0 0 16px; }
form.inline { display: inline-block; margin: 0; }
.actions { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; }
.alert, .notice { border-radius: 6px; padding: 12px 16px; margin: 0 0 16px; border: 1px solid; }
.alert { color: var(--danger); background: var(--danger-ground); }
.notice { color: var(--good); background: var(--good-ground); }
.alert :last-child, .notice :last-child { margin-bottom: 0; }
.quiet-text { color: var(--text-quiet); }
ul.plain { list-style: none; margin: 0 0 16px; padding: 0; }
ul.plain > li { padding: 12px 0; border-top: 1px solid var(--line); }
ul.plain > li:first-child { border-top: 0; padding-top: 0; }
ul.choices > li { padding: 0; border: 0; margin: 0 0 8px; }
ul.choices a {
  display: block; padding: 12px 16px; background: var(--surface); border: 1px solid var(--line-strong);
  border-radius: 8px; color: inherit; text-decoration: none;
}
ul.choices a:hover { border-color: var(--accent); }
ul.choices strong { display: block; color: var(--accent); }
dl { margin: 0 0 12px; display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
dt { color: var(--text-quiet); }
dd { margin: 0; }
.qr { display: block; width: 220px; height: 220px; max-width: 100%; background: #ffffff; border-radius: 6px; margin: 0 0 12px; }
code, .codes { font-family: ui-monospace, 'Liberation Mono', Menlo, Consolas, monospace; }
.codes { columns: 2; list-style: none; padding: 0; margin: 0 0 16px; }
.codes li { padding: 4px 0; }
@media (max-width: 400px) { dl { grid-template-columns: 1fr; } }
@media print { header { display: none; } }
`;
