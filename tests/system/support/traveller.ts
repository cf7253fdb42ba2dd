import type { TestSystem } from '@tms/test-kit'

export interface Arrival {
  readonly url: string
  readonly status: number
  /** Where the answer leads to, as an absolute URL; null if nowhere. */
  readonly location: string | null
  readonly text: string
  readonly cookies: readonly string[]
}

/** From where all of them come, as the proxy in front says. */
export const TRAVELLER_ADDRESS = '198.51.100.7'

/** A browser that goes from host to host: cookies belong to the host that set them. */
export class Traveller {
  readonly #jars = new Map<string, Map<string, string>>()
  readonly #system: Pick<TestSystem, 'baseUrl' | 'system'>
  readonly #userAgent: string | undefined

  constructor(system: Pick<TestSystem, 'baseUrl' | 'system'>, userAgent?: string) {
    this.#system = system
    this.#userAgent = userAgent
  }

  /** URL of a page of an organization; the default one without a subdomain. */
  urlOf(path: string, subdomain = ''): string {
    const { baseUrl, system } = this.#system
    return subdomain === '' ? `${baseUrl}${path}` : `http://${subdomain}.${system.externalHost}${path}`
  }

  /** URL of a page of the installation, to whose host providers send people back. */
  installationUrlOf(path: string): string {
    return `http://${this.#system.system.externalHost}${path}`
  }

  /** Opens one page. */
  async open(url: string, body?: URLSearchParams): Promise<Arrival> {
    const { host, pathname, search } = new URL(url)
    const { externalHost } = this.#system.system
    const ownHosts = [externalHost, new URL(this.#system.baseUrl).host]
    const isOwn = ownHosts.includes(host) || host.endsWith(`.${externalHost}`)
    const jar = this.#jarOf(host)
    const answer = await fetch(isOwn ? new URL(pathname + search, this.#system.baseUrl) : url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(isOwn && { 'x-forwarded-host': host, 'x-forwarded-for': TRAVELLER_ADDRESS }),
        ...(this.#userAgent !== undefined && { 'user-agent': this.#userAgent }),
      },
      ...(body && { body }),
    })
    const cookies = answer.headers.getSetCookie()
    for (const cookie of cookies) keep(jar, cookie)
    const location = answer.headers.get('location')
    return {
      ...{ url, status: answer.status, text: await answer.text(), cookies },
      location: location === null ? null : new URL(location, url).href,
    }
  }

  /** Opens a page and follows it, to the last one or to one that `stopsAt`, which isn't opened. */
  async follow(url: string, stopsAt: (url: string) => boolean = () => false): Promise<Arrival> {
    let arrival = await this.open(url)
    while (arrival.location !== null && /^https?:/.test(arrival.location) && !stopsAt(arrival.location))
      arrival = await this.open(arrival.location)
    return arrival
  }

  hasCookie(url: string, name: string): boolean {
    return this.#jarOf(new URL(url).host).has(name)
  }

  #jarOf(host: string): Map<string, string> {
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    return jar
  }
}

function keep(jar: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(/; ?/)
  const equals = pair.indexOf('=')
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
  const isOver = attributes.some(
    (one) => /^max-age=0$/i.test(one) || (/^expires=/i.test(one) && Date.parse(one.slice(8)) < Date.now()),
  )
  if (isOver) jar.delete(name)
  else jar.set(name, value)
}
