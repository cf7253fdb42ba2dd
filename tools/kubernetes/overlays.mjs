// Installations to start from: overlays of kustomize, and the same as values for Helm.

/** What everybody has to say; the values here are there to be replaced. */
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
 * @property {Record<string, unknown>} values those of the chart that differ, by path
 * @property {Record<string, string>} settings
 * @property {boolean} makesSecret from a file beside it; else the Secret has to be there
 * @property {string[]} parts of `components/`
 */

/** @type {Readonly<Record<string, Overlay>>} */
export const overlays = {
  small: {
    about:
      'One of each service, for trying out and for some dozens of people: a quarter of a core and 1.25 GiB requested.',
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
    about:
      'Several of each service, more when there is more to do, watched by Prometheus; the Secret is there already.',
    settings,
    makesSecret: false,
    parts: ['autoscaling', 'monitoring'],
    values: { 'autoscaling.enabled': true, 'monitoring.enabled': true },
  },
}
