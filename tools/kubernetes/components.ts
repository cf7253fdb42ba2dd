// The services in a cluster, and the servers that they use.

interface Component {
  /** Whether it has a database, which `node dist/migrate.js` of the same image migrates. */
  migrates: boolean
  /** Space for files on their way to or from S3; null for none. */
  spool: string | null
  requests: { cpu: string; memory: string }
  limits: { cpu: string; memory: string }
  /** `targetCPU` is % of the request. */
  autoscaling: { minReplicas: number; maxReplicas: number; targetCPU: number }
}

/** Port that the images listen on. */
export const PORT = 8080

/**
 * Requests: resident memory after start is 140 to 300 MB, and 335 MB in users while it exports 50,000 accounts
 * (docs/performance.md); an idle client takes 15 KB in gateway and 18 KB in events, so that 10,000 of them fit in what is
 * requested. JavaScript runs on one core; the second core of the limit is for rendering threads, password hashes and
 * garbage collection.
 */
export const components: Readonly<Record<string, Component>> = {
  gateway: {
    migrates: false,
    spool: null,
    requests: { cpu: '250m', memory: '384Mi' },
    limits: { cpu: '2', memory: '1Gi' },
    autoscaling: { minReplicas: 3, maxReplicas: 20, targetCPU: 200 },
  },
  messaging: {
    migrates: true,
    spool: '10Gi',
    requests: { cpu: '500m', memory: '384Mi' },
    limits: { cpu: '2', memory: '1Gi' },
    autoscaling: { minReplicas: 3, maxReplicas: 20, targetCPU: 120 },
  },
  users: {
    migrates: true,
    spool: '1Gi',
    requests: { cpu: '500m', memory: '512Mi' },
    limits: { cpu: '2', memory: '1Gi' },
    autoscaling: { minReplicas: 2, maxReplicas: 10, targetCPU: 120 },
  },
  realm: {
    migrates: true,
    // An export is packed here before it goes to S3.
    spool: '20Gi',
    requests: { cpu: '100m', memory: '384Mi' },
    limits: { cpu: '1', memory: '768Mi' },
    autoscaling: { minReplicas: 2, maxReplicas: 6, targetCPU: 400 },
  },
  events: {
    migrates: false,
    spool: null,
    requests: { cpu: '500m', memory: '512Mi' },
    limits: { cpu: '2', memory: '1Gi' },
    // More replicas than partitions would have nothing to own.
    autoscaling: { minReplicas: 3, maxReplicas: 12, targetCPU: 120 },
  },
}

interface Server {
  /** The setting with its URL. */
  setting: string
  /** Its usual ports. */
  ports: number[]
}

/** Servers that the chart doesn't install. */
export const servers: Readonly<Record<string, Server>> = {
  postgresql: { setting: 'DATABASE_URL', ports: [5432] },
  redis: { setting: 'REDIS_URL', ports: [6379] },
  rabbitmq: { setting: 'RABBITMQ_URL', ports: [5671, 5672] },
  s3: { setting: 'UPLOADS_URL', ports: [443] },
  smtp: { setting: 'MAIL_URL', ports: [465, 587] },
  /** Outgoing webhooks, as far as their URLs have the usual ports. */
  webhooks: { setting: 'WEBHOOK_RETRY_DELAYS', ports: [80, 443] },
  /** Video calls. */
  bigbluebutton: { setting: 'BIG_BLUE_BUTTON_URL', ports: [443] },
  collector: { setting: 'OTEL_EXPORTER_OTLP_ENDPOINT', ports: [4318] },
}

/** KEDA adds a replica for each of these amounts of log lag and live queues. */
export const eventsTriggers = { logLagEntries: 1_000, liveQueues: 10_000 }
