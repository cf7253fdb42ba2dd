// deploy/helm/team-messaging-service: the same objects, with Helm's template marks for values.
import { components } from './components.mjs'
import { monitoring } from './monitoring.mjs'
import { createIngress, migrationHookPolicy, networkPolicies } from './network.mjs'
import { overlays } from './overlays.mjs'
import { eventsScaledObject, horizontalAutoscaler } from './scaling.mjs'
import { externalSecret, secretFromValues } from './secrets.mjs'
import { CHART, helmTarget } from './targets.mjs'
import { toJsonSchema, toTree } from './values.mjs'
import { createMigration, createWorkload } from './workloads.mjs'
import { toYaml } from './yaml.mjs'

const HEADER = '# Written by tools/kubernetes.ts; change its sources, not this file.\n'
const documents = (objects) => HEADER + objects.map(toYaml).join('---\n')
const only = (condition, text) => `{{- if ${condition} }}\n${text}{{- end }}\n`

/** Every file below the chart's folder, by path. */
export function helmFiles(inputs) {
  const target = helmTarget()
  const { settingsByService, declaredValues, version } = inputs
  const names = Object.keys(components)
  const files = {
    'Chart.yaml':
      HEADER +
      toYaml({
        apiVersion: 'v2',
        name: CHART,
        description:
          'A team-chat backend: channels with topics, direct messages, and long-polled event queues.',
        type: 'application',
        version,
        appVersion: version,
        kubeVersion: '>=1.27.0-0',
      }),
    'values.yaml': valuesFile(declaredValues),
    'values.schema.json': `${JSON.stringify(toJsonSchema(declaredValues), null, 2)}\n`,
    'templates/_names.tpl': NAMES,
    'templates/NOTES.txt': NOTES,
    'templates/settings.yaml': settingsTemplate(target),
    'templates/secrets.yaml':
      only('.Values.secrets.values', documents([secretFromValues(target)])) +
      only('.Values.secrets.external.enabled', documents([externalSecret(settingsByService, target)])),
    'templates/migrations.yaml': documents(
      names
        .filter((name) => components[name].migrates)
        .map((name) => createMigration(name, settingsByService[name], target)),
    ),
    'templates/network-policies.yaml': only(
      '.Values.networkPolicies.enabled',
      documents([...networkPolicies(settingsByService, target), migrationHookPolicy(target)]),
    ),
    'templates/ingress.yaml': only(
      '.Values.ingress.enabled',
      documents([createIngress(inputs.publicPaths, HOSTS, target)]),
    ),
    'templates/autoscalers.yaml': only('.Values.autoscaling.enabled', autoscalers(target)),
    'templates/monitoring.yaml': only(
      '.Values.monitoring.enabled',
      documents(monitoring(settingsByService, target)),
    ),
  }
  for (const name of names)
    files[`templates/${name}.yaml`] = documents(createWorkload(name, settingsByService[name], target))
  for (const [name, overlay] of Object.entries(overlays))
    files[`examples/${name}.yaml`] = createExample(overlay)
  return files
}

const HOST = `{{ include "${CHART}.host" . }}`
const HOSTS = [HOST, `*.${HOST}`]

/** Events is scaled by KEDA or by a HorizontalPodAutoscaler, never by both. */
function autoscalers(target) {
  const others = Object.keys(components).filter((name) => name !== 'events')
  return [
    // Kubernetes rejects this too, but only after the migrations.
    ...Object.keys(components).map((name) => {
      const at = (key) => `(int .Values.${name}.autoscaling.${key})`
      const complaint = `${name}.autoscaling.minReplicas is more than maxReplicas`
      return `{{- if gt ${at('minReplicas')} ${at('maxReplicas')} }}{{ fail "${complaint}" }}{{ end }}\n`
    }),
    documents(others.map((name) => horizontalAutoscaler(name, target))),
    '---\n{{- if .Values.keda.enabled }}\n',
    toYaml(eventsScaledObject(target)),
    '{{- else }}\n',
    toYaml(horizontalAutoscaler('events', target)),
    '{{- end }}\n',
  ].join('')
}

function settingsTemplate(target) {
  const head = toYaml({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: target.settings,
      labels: { ...target.instance, 'app.kubernetes.io/part-of': CHART, 'tms-step': 'prepare' },
    },
  })
  return `${HEADER}${head}data:
{{- range $name, $value := .Values.settings }}
  {{ $name }}: {{ if kindIs "float64" $value }}{{ toJson $value | quote }}{{ else }}{{ toString $value | quote }}{{ end }}
{{- end }}
`
}

/** Values in the order of their declaration, each with its comment above it. */
function valuesFile(declared) {
  const comments = new Map(declared.map(({ path, comment }) => [path, comment]))
  const write = (node, path, depth) =>
    Object.entries(node).map(([key, value]) => {
      const at = path === '' ? key : `${path}.${key}`
      const indent = '  '.repeat(depth)
      if (!comments.has(at)) return `${indent}${key}:\n${write(value, at, depth + 1).join('')}`
      const comment = comments.get(at) === '' ? [] : comments.get(at).split('\n')
      const text = toYaml({ [key]: value })
        .trimEnd()
        .split('\n')
      return [...comment.map((line) => `# ${line}`), ...text].map((line) => `${indent}${line}\n`).join('')
    })
  return `${HEADER}\n${write(toTree(declared), '', 0).join('\n')}`
}

/** An overlay as values, with the same source of its Secret. */
function createExample({ about, values, settings, makesSecret }) {
  const tree = toTree([
    ...Object.entries(values).map(([path, value]) => ({ path, value })),
    { path: 'settings', value: settings },
    ...(makesSecret ? [] : [{ path: 'secrets.existing', value: 'tms-secrets' }]),
  ])
  const secret = makesSecret
    ? '# Give the secrets in a further file with secrets.values: --values secrets.yaml\n'
    : ''
  return `${HEADER}# ${about}\n${secret}${toYaml(tree)}`
}

const NAMES = `{{/* Written by tools/kubernetes.ts. Prefix of the names of objects. */}}
{{- define "${CHART}.fullname" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "${CHART}.secrets" -}}
{{- $ways := 0 -}}
{{- if .Values.secrets.existing }}{{ $ways = add1 $ways }}{{ end -}}
{{- if .Values.secrets.values }}{{ $ways = add1 $ways }}{{ end -}}
{{- if .Values.secrets.external.enabled }}{{ $ways = add1 $ways }}{{ end -}}
{{- if ne (int $ways) 1 }}{{ fail "give the secrets in one way: secrets.existing, secrets.values or secrets.external" }}{{ end -}}
{{- .Values.secrets.existing | default (printf "%s-secrets" (include "${CHART}.fullname" .)) -}}
{{- end }}

{{/* The host that clients use, without a port, which an Ingress can not have. */}}
{{- define "${CHART}.host" -}}
{{- regexReplaceAll ":[0-9]+$" .Values.settings.EXTERNAL_HOST "" -}}
{{- end }}

{{/* Parameters: the root and the name of the image. */}}
{{- define "${CHART}.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end }}

{{/* Parameters: a protocol and port numbers. Returns the ports of a network policy. */}}
{{- define "${CHART}.ports" -}}
{{- $protocol := index . 0 -}}
{{- $ports := list -}}
{{- range index . 1 }}{{ $ports = append $ports (dict "protocol" $protocol "port" (int .)) }}{{ end -}}
{{- toJson $ports -}}
{{- end }}
`

const NOTES = `The Team Messaging Service is at {{ .Values.settings.EXTERNAL_SCHEME }}://{{ .Values.settings.EXTERNAL_HOST }} when its pods are ready:

  kubectl --namespace {{ .Release.Namespace }} get pods --selector app.kubernetes.io/instance={{ .Release.Name }}

The first organization, with its owner:

  kubectl --namespace {{ .Release.Namespace }} exec deploy/{{ include "${CHART}.fullname" . }}-gateway -- \\
    env GATEWAY_URL={{ if .Values.tls.enabled }}https{{ else }}http{{ end }}://localhost:8080 EXTERNAL_HOST={{ .Values.settings.EXTERNAL_HOST }} \\
    node /manage/dist/main.js create-organization . --name 'My Organization' --owner-email me@example.com
`
