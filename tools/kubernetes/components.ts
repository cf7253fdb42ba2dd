// The services in a cluster, and the servers that they use.

/** Port that the images listen on. */
export const PORT = 8080

export const components = ['gateway', 'messaging', 'users', 'realm', 'events']

/** Servers that the chart doesn't install, by the settings with their URLs. */
export const servers: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql',
  REDIS_URL: 'redis',
  RABBITMQ_URL: 'rabbitmq',
  UPLOADS_URL: 's3',
  MAIL_URL: 'smtp',
  /** Outgoing webhooks, as far as their URLs have the usual ports. */
  WEBHOOK_RETRY_DELAYS: 'webhooks',
  /** Push services, which are anywhere too. */
  WEB_PUSH_PRIVATE_KEY: 'webhooks',
  /** Video calls. */
  BIG_BLUE_BUTTON_URL: 'bigbluebutton',
  /** Directories (LDAP), at which users verifies passwords. */
  PASSWORD_ATTEMPTS_MAX: 'ldap',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
}
