import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestSystem } from '@tms/test-kit'
import PostalMime, { type Email } from 'postal-mime'
import { until } from './until.ts'

export type ParsedMail = Email

/** By path: a mail never changes. */
const parsed = new Map<string, Promise<ParsedMail>>()

/** The mails to an address so far, from oldest to newest. */
export async function mailsTo({ system }: TestSystem, address: string): Promise<ParsedMail[]> {
  const folder = fileURLToPath(system.mailUrl)
  const names = await readdir(folder).catch((): string[] => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    files.map((name) => {
      const path = join(folder, name)
      const mail = parsed.get(path) ?? readFile(path).then((content) => PostalMime.parse(content))
      parsed.set(path, mail)
      return mail
    }),
  )
  return mails.filter(({ to }) => to?.some((one) => one.address?.toLowerCase() === address.toLowerCase()))
}

/** The newest mail to an address with this text in its subject, as soon as there is one. */
export async function waitForMail(
  system: TestSystem,
  address: string,
  subjectPart: string,
): Promise<ParsedMail> {
  let found: ParsedMail | undefined
  await until(async () => {
    const mails = await mailsTo(system, address)
    found = mails.findLast(({ subject }) => subject?.includes(subjectPart))
    return found !== undefined
  })
  return found as ParsedMail
}

/** The link of a mail. */
export function linkIn({ text = '', subject }: ParsedMail): string {
  const [link] = /https?:\/\/\S+\/(?:accounts|join)\/\S+/.exec(text) ?? []
  if (link === undefined) throw new Error(`there is no link in the mail "${subject}"`)
  return link
}
