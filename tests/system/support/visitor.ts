import type { ApiClient, TestSystem } from '@tms/test-kit'
import { expect } from 'vitest'
import { passwordOf } from './other-organization.ts'

/** A response to a visitor. */
export interface VisitedPage {
  readonly status: number
  readonly location: string | null
  /** The values of `set-cookie`. */
  readonly cookies: readonly string[]
  readonly headers: Headers
  readonly text: string
}

interface VisitorOptions {
  /** Of an organization; that of the gateway otherwise. */
  readonly host?: string
  readonly gatewayUrl?: string
  readonly scheme?: 'http' | 'https'
  readonly userAgent?: string
}

/** What a browser does for a person without scripts: keeps cookies, names the origin of forms, fills in hidden fields. */
export class Visitor {
  /** By name. */
  readonly cookies = new Map<string, string>()
  readonly #system: Pick<TestSystem, 'baseUrl'>
  readonly #options: VisitorOptions
  /** Of the newest page. */
  token = ''

  constructor(system: Pick<TestSystem, 'baseUrl'>, options: VisitorOptions = {}) {
    this.#system = system
    this.#options = options
  }

  /** The same browser at another gateway. */
  at(gatewayUrl: string): Visitor {
    const other = new Visitor(this.#system, { ...this.#options, gatewayUrl })
    for (const [name, value] of this.cookies) other.cookies.set(name, value)
    other.token = this.token
    return other
  }

  get origin(): string {
    const { host = new URL(this.#system.baseUrl).host, scheme = 'http' } = this.#options
    return `${scheme}://${host}`
  }

  open(path: string): Promise<VisitedPage> {
    return this.send('GET', path)
  }

  /** Posts a form of the newest page, with its hidden token. Headers of undefined aren't sent. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<VisitedPage> {
    const body = new URLSearchParams({ csrfmiddlewaretoken: this.token, ...fields })
    return this.send('POST', path, { origin: this.origin, ...headers }, body)
  }

  /** Opens the log-in page and signs in. */
  async logIn(username: string, password: string, query = ''): Promise<VisitedPage> {
    await this.open(`/login/${query}`)
    const next = new URLSearchParams(query).get('next')
    return this.post('/accounts/login/', { username, password, ...(next !== null && { next }) })
  }

  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | undefined>> = {},
    body?: URLSearchParams,
  ): Promise<VisitedPage> {
    const { host, scheme, userAgent, gatewayUrl = this.#system.baseUrl } = this.#options
    const sent = {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'user-agent': userAgent,
      'x-forwarded-host': host,
      'x-forwarded-proto': scheme,
      ...headers,
    }
    const answer = await fetch(new URL(path, gatewayUrl), {
      method,
      redirect: 'manual',
      headers: Object.entries(sent).flatMap(([name, value]): [string, string][] =>
        value === undefined || value === '' ? [] : [[name, value]],
      ),
      ...(body && { body }),
    })
    const cookies = answer.headers.getSetCookie()
    for (const cookie of cookies) this.#keep(cookie)
    const text = await answer.text()
    this.token = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(text)?.[1] ?? this.token
    const { status } = answer
    return { status, location: answer.headers.get('location'), cookies, headers: answer.headers, text }
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

export const emailOf = ({ account }: Pick<ApiClient, 'account'>): string => account?.email ?? ''

/** A new user, and a browser in which they are signed in. */
export async function newVisitor(
  product: Pick<TestSystem, 'baseUrl' | 'createUser'>,
  options: VisitorOptions = {},
): Promise<{ user: ApiClient; email: string; visitor: Visitor }> {
  const user = await product.createUser()
  const email = emailOf(user)
  const visitor = new Visitor(product, options)
  expect(await visitor.logIn(email, passwordOf(email))).toMatchObject({ status: 302 })
  return { user, email, visitor }
}
