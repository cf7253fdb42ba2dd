import { readFileSync } from 'node:fs'

/** A secret of `SIGN_ON`, by its `key` there. Throws if it is a file that can't be read, or is empty. */
export function readSecret(secret: string | { readonly file: string }, key: string): string {
  if (typeof secret === 'string') return secret
  let text: string
  try {
    // Editors end a file with a line break, which belongs to no secret.
    text = readFileSync(secret.file, 'utf8').replace(/\r?\n$/, '')
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    throw new Error(`SIGN_ON: ${key} can't be read from ${secret.file} (${code})`)
  }
  if (text === '') throw new Error(`SIGN_ON: ${key} is empty in ${secret.file}`)
  return text
}
