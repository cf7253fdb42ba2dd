import { foldEmail } from '../kernel/addresses/email-address.rules.ts'

/**
 * Addresses separated by commas or newlines; `Name <address>` yields the address. The first of those that differ only
 * in case is used. They may be invalid.
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
