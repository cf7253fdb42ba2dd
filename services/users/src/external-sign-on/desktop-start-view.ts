import { clientNameOf, html, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'

export const isDesktopApp = (userAgent: string | undefined): boolean =>
  clientNameOf(undefined, userAgent) === 'ZulipElectron'

/**
 * In the desktop app: has the sign-in done by the system's browser, which knows its user and has a password manager,
 * and takes the text that the user copies there. The app makes the key and reads the clipboard if it can; else the page
 * does with a field.
 */
export function desktopStartView(realm: PageOwner): PageAnswer {
  return pageOf(realm, {
    title: 'Log in with your browser',
    script,
    body: html`<p role="status">Your browser opens. Log in there, copy the text that it shows, and come back here.</p>
<noscript><p class="alert" role="alert">This page needs JavaScript.</p></noscript>
<p><a class="button" id="open" target="_blank" rel="noreferrer">Open the browser again</a></p>
<form id="paste" hidden>
<label for="data">Text from the browser</label>
<input id="data" name="data" autocomplete="off" required>
<p class="wrong" id="wrong" role="alert" hidden>That text is not of this log-in, or too old. Open the browser again.</p>
<button>Log in</button>
</form>
<footer><a href="/login/">Cancel</a></footer>`,
  })
}

const script = `
const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
const form = document.getElementById('paste')
const wrong = document.getElementById('wrong')
const finish = (token) => location.assign('/accounts/login/subdomain/' + encodeURIComponent(token))
function makeKey() {
  const bridge = window.electron_bridge
  if (bridge?.decrypt_clipboard) {
    const { key, pasted } = bridge.decrypt_clipboard(1)
    pasted.then(finish)
    return key
  }
  const key = crypto.getRandomValues(new Uint8Array(32))
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    try {
      const data = bytesOf(document.getElementById('data').value.trim())
      const secret = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
      const token = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: data.slice(0, 12) }, secret, data.slice(12))
      finish(new TextDecoder().decode(token))
    } catch {
      wrong.hidden = false
    }
  })
  return key
}
const url = new URL(location.href)
url.searchParams.set('desktop_flow_otp', hexOf(makeKey()))
document.getElementById('open').href = url.href
window.open(url.href, '_blank', 'noreferrer')
`
