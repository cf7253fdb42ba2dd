import { foldEmail } from '../accounts/email-address.rules.ts'

/**
 * The addresses of a list in which commas or newlines separate them; `Name <address>` is the address. Of addresses
 * that differ only in case the first counts. They may be invalid.
 */
export function parseInviteeEmails(text: string): string[] {
  const addresses = new Map<string, string>()
  for (const entry of text.split(/[,\n]/)) {
    const address = addressIn(entry.trim())
    const key = foldEmail(address)
    if (address !== '' && !addresses.has(key)) addresses.set(key, address)
  }
  return [...addresses.values()]
}

function addressIn(entry: string): string {
  const start = entry.lastIndexOf('<')
  return start >= 0 && entry.endsWith('>') ? entry.slice(start + 1, -1).trim() : entry
}
