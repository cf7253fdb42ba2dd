// A Deployment for each component, and a migration Job for each database.
import { components, PORT, shutdown } from './components.mjs'
import { addTlsVariables, createEnvironment, SPOOL_DIR } from './settings.mjs'
import { labelsOf, selectorOf } from './targets.mjs'

/** Deployment, Service, ServiceAccount and PodDisruptionBudget of a component. */
export function createWorkload(name, settings, target) {
  const labels = labelsOf(target, name)
  const selector = selectorOf(target, name)
  const metadata = { name: target.name(name), labels }
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        name: target.name(name),
        labels: labelsOf(target, name, 'prepare'),
        annotations: target.optional(`${name}.serviceAccountAnnotations`),
      },
      automountServiceAccountToken: false,
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: 'http', port: PORT, targetPort: 'http' }] },
    },
    deploymentOf(name, settings, target),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      // One pod at a time, even if it is the only one: a node can always be drained.
      spec: {
        maxUnavailable: 1,
        // Replicas that aren’t ready may be evicted; otherwise none could be moved while a server that all need is unavailable.
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: selector },
      },
    },
  ]
}

/** The container of a component's pods. */
export function createContainer(name, settings, target) {
  const { image, spool } = components[name]
  const probe = (path) => ({
    httpGet: { path, port: 'http', scheme: target.choose('tls.enabled', 'HTTPS', 'HTTP') },
  })
  return {
    name,
    image: target.image(image),
    imagePullPolicy: target.value('image.pullPolicy'),
    ports: [{ name: 'http', containerPort: PORT }],
    env: addTlsVariables(createEnvironment(settings, target), target),
    // The process listens as soon as its code is loaded, even if servers are unavailable.
    startupProbe: { ...probe('/health/live'), periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 },
    // Checks only that the process answers: restarting it would not help against unavailable servers.
    livenessProbe: { ...probe('/health/live'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    // Checks that all required dependencies are available, which takes up to 2 s.
    readinessProbe: { ...probe('/health/ready'), periodSeconds: 5, timeoutSeconds: 4, failureThreshold: 2 },
    lifecycle: { preStop: { exec: { command: ['sleep', `${shutdown.preStopSeconds}`] } } },
    resources: target.value(`${name}.resources`),
    securityContext: containerSecurity,
    volumeMounts: spool === null ? undefined : [{ name: 'spool', mountPath: SPOOL_DIR }],
  }
}

function deploymentOf(name, settings, target) {
  const { spool } = components[name]
  const selector = selectorOf(target, name)
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
    metadata: { name: target.name(name), labels: labelsOf(target, name) },
    spec: {
      selector: { matchLabels: selector },
      replicas: target.unless('autoscaling.enabled', target.value(`${name}.replicas`)),
      minReadySeconds: 5,
      revisionHistoryLimit: 3,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } },
      template: {
        metadata: { labels: selector, annotations: target.checksums },
        spec: {
          ...podSpec(target),
          serviceAccountName: target.name(name),
          terminationGracePeriodSeconds: shutdown.graceSeconds,
          topologySpreadConstraints: [
            spread('topology.kubernetes.io/zone'),
            spread('kubernetes.io/hostname'),
          ],
          containers: [createContainer(name, settings, target)],
          volumes: spool === null ? undefined : [{ name: 'spool', emptyDir: { sizeLimit: spool } }],
        },
      },
    },
  }
}

/** The Job that migrates a service's database before any pod of the new version starts. */
export function createMigration(name, settings, target) {
  const component = `migrate-${name}`
  const env = createEnvironment(
    settings.filter(({ name: variable }) => /^(DATABASE_URL|TLS_\w+)$/.test(variable)),
    target,
  )
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: target.name(component),
      labels: labelsOf(target, component, 'migrate'),
      annotations: target.hook({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '0',
        'helm.sh/hook-delete-policy': 'before-hook-creation',
      }),
    },
    spec: {
      backoffLimit: 3,
      // Building an index on many millions of messages takes long.
      activeDeadlineSeconds: target.value('migrations.deadlineSeconds'),
      template: {
        metadata: { labels: { ...selectorOf(target, component), 'tms-migration': name } },
        spec: {
          ...podSpec(target),
          restartPolicy: 'Never',
          containers: [
            {
              name: 'migrate',
              image: target.image(components[name].image),
              imagePullPolicy: target.value('image.pullPolicy'),
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

function podSpec(target) {
  return {
    // The pods don't use the Kubernetes API, and get the names of services as settings.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    imagePullSecrets: target.optional('image.pullSecrets'),
    nodeSelector: target.optional('nodeSelector'),
    tolerations: target.optional('tolerations'),
    priorityClassName: target.optional('priorityClassName'),
  }
}
