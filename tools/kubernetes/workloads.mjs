// What runs: a Deployment for each component, and before it a Job for each database.
import { components, PORT, shutdown } from './components.mjs'
import { environmentOf, SPOOL_DIR, servingTls } from './settings.mjs'
import { labelsOf, selectorOf } from './targets.mjs'

/** Deployment, Service, ServiceAccount and PodDisruptionBudget of a component. */
export function workloadOf(name, settings, t) {
  const labels = labelsOf(t, name)
  const selector = selectorOf(t, name)
  const metadata = { name: t.name(name), labels }
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        name: t.name(name),
        labels: labelsOf(t, name, 'prepare'),
        annotations: t.optional(`${name}.serviceAccountAnnotations`),
      },
      automountServiceAccountToken: false,
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: 'http', port: PORT, targetPort: 'http' }] },
    },
    deploymentOf(name, settings, t),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      // One at a time, also where there is only one: a node can always be emptied.
      spec: {
        maxUnavailable: 1,
        // A replica that isn’t ready serves nobody; else none could be moved while a server is away that all of them need.
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: selector },
      },
    },
  ]
}

/** The container of a component's pods. */
export function containerOf(name, settings, t) {
  const { image, spool } = components[name]
  const probe = (path) => ({
    httpGet: { path, port: 'http', scheme: t.choose('tls.enabled', 'HTTPS', 'HTTP') },
  })
  return {
    name,
    image: t.image(image),
    imagePullPolicy: t.value('image.pullPolicy'),
    ports: [{ name: 'http', containerPort: PORT }],
    env: servingTls(environmentOf(settings, t), t),
    // Servers that are away delay no start: it listens as soon as its code is loaded.
    startupProbe: { ...probe('/health/live'), periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 },
    // Says only that it answers; servers that are away don't get better by starting it again.
    livenessProbe: { ...probe('/health/live'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    // Says that it can do its work now: what it can't do without is there. It takes 2 s to find that out.
    readinessProbe: { ...probe('/health/ready'), periodSeconds: 5, timeoutSeconds: 4, failureThreshold: 2 },
    lifecycle: { preStop: { exec: { command: ['sleep', `${shutdown.preStopSeconds}`] } } },
    resources: t.value(`${name}.resources`),
    securityContext: containerSecurity,
    volumeMounts: spool === null ? undefined : [{ name: 'spool', mountPath: SPOOL_DIR }],
  }
}

function deploymentOf(name, settings, t) {
  const { spool } = components[name]
  const selector = selectorOf(t, name)
  const spread = (topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selector },
    matchLabelKeys: ['pod-template-hash'],
  })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: t.name(name), labels: labelsOf(t, name) },
    spec: {
      selector: { matchLabels: selector },
      replicas: t.unless('autoscaling.enabled', t.value(`${name}.replicas`)),
      minReadySeconds: 5,
      revisionHistoryLimit: 3,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } },
      template: {
        metadata: { labels: selector, annotations: t.checksums },
        spec: {
          ...podSpec(t),
          serviceAccountName: t.name(name),
          terminationGracePeriodSeconds: shutdown.graceSeconds,
          topologySpreadConstraints: [
            spread('topology.kubernetes.io/zone'),
            spread('kubernetes.io/hostname'),
          ],
          containers: [containerOf(name, settings, t)],
          volumes: spool === null ? undefined : [{ name: 'spool', emptyDir: { sizeLimit: spool } }],
        },
      },
    },
  }
}

/** The Job that brings a service's database up to date, before any pod of the new version starts. */
export function migrationOf(name, settings, t) {
  const component = `migrate-${name}`
  const env = environmentOf(
    settings.filter(({ name: variable }) => /^(DATABASE_URL|TLS_\w+)$/.test(variable)),
    t,
  )
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: t.name(component),
      labels: labelsOf(t, component, 'migrate'),
      annotations: t.hook({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '0',
        'helm.sh/hook-delete-policy': 'before-hook-creation',
      }),
    },
    spec: {
      backoffLimit: 3,
      // Building an index on many millions of messages takes its time.
      activeDeadlineSeconds: t.value('migrations.deadlineSeconds'),
      template: {
        metadata: { labels: { ...selectorOf(t, component), 'tms-migration': name } },
        spec: {
          ...podSpec(t),
          restartPolicy: 'Never',
          containers: [
            {
              name: 'migrate',
              image: t.image(components[name].image),
              imagePullPolicy: t.value('image.pullPolicy'),
              command: ['node', 'dist/migrate.js'],
              env,
              resources: {
                requests: { cpu: '100m', memory: '128Mi' },
                limits: { cpu: '1', memory: '512Mi' },
              },
              securityContext: containerSecurity,
            },
          ],
        },
      },
    },
  }
}

const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

function podSpec(t) {
  return {
    // Nothing asks Kubernetes for anything, and names of services are given.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    imagePullSecrets: t.optional('image.pullSecrets'),
    nodeSelector: t.optional('nodeSelector'),
    tolerations: t.optional('tolerations'),
    priorityClassName: t.optional('priorityClassName'),
  }
}
