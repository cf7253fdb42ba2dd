// deploy/helm/team-messaging-service: the same objects, with marks where values go.
import { components } from './components.mjs'
import { monitoring } from './monitoring.mjs'
import { ingressOf, networkPolicies, policyOfHooks } from './network.mjs'
import { overlays } from './overlays.mjs'
import { eventsScaledObject, horizontalAutoscaler } from './scaling.mjs'
import { externalSecret, secretOfValues } from './secrets.mjs'
import { CHART, helmTarget } from './targets.mjs'
import { schemaOf, treeOf } from './values.mjs'
import { migrationOf, workloadOf } from './workloads.mjs'
import { toYaml } from './yaml.mjs'

const HEADER = '# Written by tools/kubernetes.mjs; change its sources, not this file.\n'
const documents = (objects) => HEADER + objects.map(toYaml).join('---\n')
const only = (condition, text) => `{{- if ${condition} }}\n${text}{{- end }}\n`

/** Every file below the chart's folder, by path. */
export function helmFiles(facts) {
  const t = helmTarget()
  const { settingsByService, declaredValues, version } = facts
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
    'values.schema.json': `${JSON.stringify(schemaOf(declaredValues), null, 2)}\n`,
    'templates/_names.tpl': NAMES,
    'templates/NOTES.txt': NOTES,
    'templates/settings.yaml': settingsTemplate(t),
    'templates/secrets.yaml':
      only('.Values.secrets.values', documents([secretOfValues(t)])) +
      only('.Values.secrets.external.enabled', documents([externalSecret(settingsByService, t)])),
    'templates/migrations.yaml': documents(
      names
        .filter((name) => components[name].migrates)
        .map((name) => migrationOf(name, settingsByService[name], t)),
    ),
    'templates/network-policies.yaml': only(
      '.Values.networkPolicies.enabled',
      documents([...networkPolicies(settingsByService, t), policyOfHooks(t)]),
    ),
    'templates/ingress.yaml': only(
      '.Values.ingress.enabled',
      documents([ingressOf(facts.publicPaths, HOSTS, t)]),
    ),
    'templates/autoscalers.yaml': only('.Values.autoscaling.enabled', autoscalers(t)),
    'templates/monitoring.yaml': only(
      '.Values.monitoring.enabled',
      documents(monitoring(settingsByService, t)),
    ),
  }
  for (const name of names)
    files[`templates/${name}.yaml`] = documents(workloadOf(name, settingsByService[name], t))
  for (const [name, overlay] of Object.entries(overlays)) files[`examples/${name}.yaml`] = exampleOf(overlay)
  return files
}

const HOST = `{{ include "${CHART}.host" . }}`
const HOSTS = [HOST, `*.${HOST}`]

/** Events is scaled by the one or the other, never by both. */
function autoscalers(t) {
  const others = Object.keys(components).filter((name) => name !== 'events')
  return [
    // Kubernetes would refuse it too, but only when the migrations have run.
    ...Object.keys(components).map((name) => {
      const at = (key) => `(int .Values.${name}.autoscaling.${key})`
      const complaint = `${name}.autoscaling.minReplicas is more than maxReplicas`
      return `{{- if gt ${at('minReplicas')} ${at('maxReplicas')} }}{{ fail "${complaint}" }}{{ end }}\n`
    }),
    documents(others.map((name) => horizontalAutoscaler(name, t))),
    '---\n{{- if .Values.keda.enabled }}\n',
    toYaml(eventsScaledObject(t)),
    '{{- else }}\n',
    toYaml(horizontalAutoscaler('events', t)),
    '{{- end }}\n',
  ].join('')
}

function settingsTemplate(t) {
  const head = toYaml({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: t.settings,
      labels: { ...t.instance, 'app.kubernetes.io/part-of': CHART, 'tms-step': 'prepare' },
    },
  })
  return `${HEADER}${head}data:
{{- range $name, $value := .Values.settings }}
  {{ $name }}: {{ if kindIs "float64" $value }}{{ toJson $value | quote }}{{ else }}{{ toString $value | quote }}{{ end }}
{{- end }}
`
}

/** Values in the order in which they are declared, each with its comment above it. */
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
  return `${HEADER}\n${write(treeOf(declared), '', 0).join('\n')}`
}

/** An overlay as values. Its Secret comes from the same place: made here, or there already. */
function exampleOf({ about, values, settings, makesSecret }) {
  const tree = treeOf([
    ...Object.entries(values).map(([path, value]) => ({ path, value })),
    { path: 'settings', value: settings },
    ...(makesSecret ? [] : [{ path: 'secrets.existing', value: 'tms-secrets' }]),
  ])
  const secret = makesSecret
    ? '# The secrets are given beside it: --values secrets.yaml, with secrets.values in it.\n'
    : ''
  return `${HEADER}# ${about}\n${secret}${toYaml(tree)}`
}

const NAMES = `{{/* Written by tools/kubernetes.mjs. What names of objects begin with. */}}
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

{{/* Where clients find it, without a port, which an Ingress has no place for. */}}
{{- define "${CHART}.host" -}}
{{- regexReplaceAll ":[0-9]+$" .Values.settings.EXTERNAL_HOST "" -}}
{{- end }}

{{/* Takes the root and the name of the image. */}}
{{- define "${CHART}.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end }}

{{/* Takes a protocol and numbers of ports, gives what network policies say of them. */}}
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
