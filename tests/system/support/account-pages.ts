import type { TestSystem } from '@tms/test-kit'
import { linkIn, waitForMail } from './mails.ts'

export const GOOD_PASSWORD = 'correct horse battery staple'

/** A response to a browser. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Opens a page. */
export async function open(url: string): Promise<PageAnswer> {
  const answer = await fetch(url)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Posts a form. */
export async function post(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** The key at the end of a link. */
export const keyIn = (link: string): string => link.replace(/\/$/, '').split('/').at(-1) ?? ''

/** The key in the newest mail to an address with this text in its subject. */
export async function mailedKey(system: TestSystem, email: string, subjectPart = ''): Promise<string> {
  return keyIn(linkIn(await waitForMail(system, email, subjectPart)))
}

/** Submits the page of a mailed link. */
export function register(
  { baseUrl }: TestSystem,
  key: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  return post(`${baseUrl}/accounts/register/`, {
    key,
    full_name: 'New Comer',
    password: GOOD_PASSWORD,
    ...fields,
  })
}
