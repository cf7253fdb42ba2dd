import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { System } from '@tms/local-system'
import PostalMime, { type Email } from 'postal-mime'
import { until } from './until.ts'

export type ParsedMail = Email

/** Mails that an address got, oldest first. */
export async function mailsTo({ mailUrl }: Pick<System, 'mailUrl'>, address: string): Promise<ParsedMail[]> {
  const folder = fileURLToPath(mailUrl)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  )
  return mails.filter((mail) => recipientOf(mail) === address.toLowerCase())
}

/** The newest mail to an address whose subject has this in it, once it is there. */
export async function waitForMail(
  system: Pick<System, 'mailUrl'>,
  address: string,
  subjectPart = '',
): Promise<ParsedMail> {
  let found: ParsedMail | undefined
  await until(async () => {
    found = (await mailsTo(system, address)).findLast(({ subject }) => subject?.includes(subjectPart))
    return found !== undefined
  })
  return found as ParsedMail
}

/** The first link in a mail: what it is about. */
export function linkIn({ text, subject }: Pick<ParsedMail, 'text' | 'subject'>): string {
  const [link] = text?.match(/https?:\/\/\S+/) ?? []
  if (link === undefined) throw new Error(`there is no link in the mail ${subject ?? ''}`)
  return link
}

function recipientOf({ to }: Email): string | undefined {
  const [first] = to ?? []
  return first && 'address' in first ? first.address?.toLowerCase() : undefined
}
