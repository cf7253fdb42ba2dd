/** Hosts of the push services that all browsers use. Others are named by users, who may name anything. */
const HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']
const DOMAIN = '.notify.windows.com'

/** Whether a host is a push service of browsers. */
export const isOfBrowser = (host: string): boolean => HOSTS.includes(host) || host.endsWith(DOMAIN)
