/** Hosts of the push services that all browsers use. Others are named by users, who may name anything. */
const HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']
/** The domain of one that has many hosts. */
const DOMAIN = 'notify.windows.com'

/** Whether a host is a push service of browsers. */
export const isOfBrowser = (host: string): boolean => HOSTS.includes(host) || isOfDomain(host)

/** What the services of browsers are called among the targets of deliveries. */
export const BROWSER_TARGETS: readonly string[] = [...HOSTS, DOMAIN].map((host) => `https://${host}`)

/** What the service at an address is called: its origin, or the domain of its many hosts. */
export function targetOfAddress(address: string): string {
  const { origin, hostname } = new URL(address)
  return isOfDomain(hostname) ? `https://${DOMAIN}` : origin
}

const isOfDomain = (host: string): boolean => host.endsWith(`.${DOMAIN}`)
