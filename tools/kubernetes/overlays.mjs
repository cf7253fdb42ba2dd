// Example installations: overlays of kustomize, and the same as values for Helm.

/** Settings that every installation has to replace. */
const settings = {
  EXTERNAL_HOST: 'chat.example.com',
  UPLOADS_URL: 's3://team-messaging-uploads',
  MAIL_FROM: 'noreply@example.com',
}
const small = (memory, most) => ({
  requests: { cpu: '50m', memory },
  limits: { cpu: '1', memory: most },
})

/**
 * @typedef {object} Overlay
 * @property {string} about
 * @property {Record<string, unknown>} values values of the chart that differ from the defaults, by path
 * @property {Record<string, string>} settings
 * @property {boolean} makesSecret generates the Secret from a file beside it; otherwise the Secret has to exist
 * @property {string[]} parts names of folders in `components/`
 */

/** @type {Readonly<Record<string, Overlay>>} */
export const overlays = {
  small: {
    about:
      'One replica of each service, for tests and some dozens of users: requests a quarter of a core and 1.25 GiB.',
    settings,
    makesSecret: true,
    parts: [],
    values: {
      'gateway.replicas': 1,
      'messaging.replicas': 1,
      'users.replicas': 1,
      'realm.replicas': 1,
      'events.replicas': 1,
      'gateway.resources': small('192Mi', '512Mi'),
      'messaging.resources': small('256Mi', '768Mi'),
      'users.resources': small('320Mi', '768Mi'),
      'realm.resources': small('256Mi', '768Mi'),
      'events.resources': small('256Mi', '768Mi'),
    },
  },
  production: {
    about: 'Several replicas of each service, with autoscaling and Prometheus; uses an existing Secret.',
    settings,
    makesSecret: false,
    parts: ['autoscaling', 'monitoring'],
    values: { 'autoscaling.enabled': true, 'monitoring.enabled': true },
  },
}
