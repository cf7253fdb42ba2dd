import { createHash } from 'node:crypto'

/** Style of all pages: one column, the system's font, light or dark as the reader prefers. */
export const style = `
:root{color-scheme:light dark;--page:#f3f5f9;--card:#fff;--text:#172033;--soft:#566077;--line:#c3cad8;--accent:#1b57c4;--on-accent:#fff;--error:#b3261e;--error-page:#fdecea;--good:#17693b}
@media(prefers-color-scheme:dark){:root{--page:#11151d;--card:#1a202c;--text:#edf0f6;--soft:#a9b3c6;--line:#46506a;--accent:#8fb4ff;--on-accent:#0c1a38;--error:#ffb4ab;--error-page:#3b1d1b;--good:#7ddba3}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:start center;padding:clamp(16px,8vh,96px) 16px 32px;background:var(--page);color:var(--text);font:17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:30rem;padding:clamp(24px,6vw,40px);background:var(--card);border-radius:16px;box-shadow:0 1px 3px rgb(0 0 0/.12),0 8px 32px rgb(0 0 0/.08)}
.realm{display:flex;gap:12px;align-items:center;margin:0 0 24px;color:var(--soft);font-weight:600;overflow-wrap:anywhere}
.realm span{flex:none;display:grid;place-items:center;width:40px;height:40px;border-radius:10px;background:var(--accent);color:var(--on-accent);font-size:20px}
h1{margin:0 0 12px;font-size:1.6rem;line-height:1.2;text-wrap:balance}
p{margin:0 0 16px;overflow-wrap:anywhere}
label,.label{display:block;margin:20px 0 6px;font-weight:600;overflow-wrap:anywhere}
.hint{margin:6px 0 0;color:var(--soft);font-size:.9rem}
.note{margin:0 0 20px;padding:12px 16px;border-radius:10px;background:var(--page)}
h2{margin:36px 0 12px;font-size:1.15rem;line-height:1.3}
.list{margin:0;padding:0;list-style:none}
.list li{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;justify-content:space-between;padding:12px 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.list form,.list button{margin:0}
.row{display:flex;flex-wrap:wrap;gap:0 12px}
.row>*{flex:1 1 auto}
.row button{margin-top:12px}
.or{display:flex;gap:12px;align-items:center;margin:28px 0 0;color:var(--soft)}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
input,select,textarea{width:100%;min-height:48px;padding:10px 14px;border:1px solid var(--line);border-radius:10px;background:transparent;color:inherit;font:inherit}
input[readonly]{color:var(--soft)}
input:focus-visible,select:focus-visible,textarea:focus-visible,summary:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[aria-invalid=true]{border-color:var(--error)}
.wrong{margin:6px 0 0;color:var(--error);font-size:.95rem;font-weight:600}
.alert{margin:0 0 20px;padding:12px 16px;border-radius:10px;background:var(--error-page);color:var(--error);font-weight:600}
button,.button{width:100%;min-height:48px;margin:28px 0 0;padding:10px 18px;border:0;border-radius:10px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
.button{display:grid;place-items:center;text-align:center;text-decoration:none}
.quiet{margin-top:12px;border:1px solid var(--line);background:transparent;color:inherit;overflow-wrap:anywhere}
button:hover,.button:hover{filter:brightness(1.08)}
button.plain{width:auto;min-height:32px;margin:6px 0 0;padding:2px 0;background:transparent;color:var(--accent)}
fieldset{margin:20px 0 0;padding:0;border:0}
fieldset .label{margin:0 0 6px;padding:0}
.choice{display:flex;gap:12px;align-items:center;min-height:44px;margin:0;font-weight:400}
.choice input{flex:none;width:20px;min-height:20px;margin:0}
textarea{resize:vertical}
summary{padding:8px 0;color:var(--accent);font-weight:600;cursor:pointer}
a{color:var(--accent)}
code{padding:2px 6px;border-radius:6px;background:var(--page)}
.done{color:var(--good)}
footer{margin:24px 0 0;color:var(--soft);font-size:.9rem}
`

/** Fills in the reader's time zone, and adds a button that shows the password. Pages work without it. */
export const script = `
for (const field of document.querySelectorAll('[data-time-zone]')) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''
for (const field of document.querySelectorAll('input[type=password]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain'
  button.textContent = 'Show password'
  button.addEventListener('click', () => {
    const isHidden = field.type === 'password'
    field.type = isHidden ? 'text' : 'password'
    button.textContent = isHidden ? 'Hide password' : 'Show password'
  })
  field.after(button)
}
document.querySelector('[aria-invalid=true], [data-first]')?.focus()
`

export const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Hashes of everything that browsers may run or apply on a page. */
export const allowed = { scripts: [hashOf(script)], styles: [hashOf(style)] }
