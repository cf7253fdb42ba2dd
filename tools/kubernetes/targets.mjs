// What the same objects are written for: kustomize, where values are known, and Helm, where whoever installs gives them.
import { SECRETS, SETTINGS } from './settings.mjs'
import { Entries, Template, When } from './yaml.mjs'

export const CHART = 'team-messaging-service'
/** Where overlays of kustomize install; copies of them may say another. */
export const NAMESPACE = 'team-messaging'

/**
 * @typedef {object} Target
 * @property {(component: string) => string} name of a component's objects
 * @property {string} settings name of the ConfigMap
 * @property {string} secrets name of the Secret
 * @property {string} certificate name of the Secret with the services' own
 * @property {(component: string, image: string) => unknown} image
 * @property {(path: string) => unknown} value of the chart's values
 * @property {(path: string) => unknown} optional the same, left out when empty
 * @property {(path: string, value: unknown) => unknown} when the value if that of the chart is true
 * @property {(path: string, value: unknown) => unknown} unless
 * @property {(path: string) => string} text the same as text
 * @property {(path: string) => unknown} not the opposite of one that is true or false
 * @property {(path: string, yes: string, no: string) => string} choose a text, by one that is true or false
 * @property {(path: string, protocol?: string) => unknown} ports those of a network policy, from a list of numbers; TCP unless said
 * @property {(key: string, fallback: number) => string} setting of the services, inside a text
 * @property {(path: string) => Record<string, unknown>} entries those of an object, to be spread among others
 * @property {string} namespace
 * @property {string} series selects this installation's series in Prometheus
 * @property {Record<string, string>} instance labels that tell this installation from others
 * @property {Record<string, string> | undefined} checksums annotations of pods
 * @property {(annotations: Record<string, string>) => Record<string, string> | undefined} hook annotations of Helm's
 */

/** @returns {Target} */
export function kustomizeTarget(values, version) {
  const at = (path) => path.split('.').reduce((node, key) => node?.[key], values)
  return {
    name: (component) => component,
    settings: SETTINGS,
    secrets: SECRETS,
    certificate: values.tls.secret,
    image: (image) => `${image}:${version}`,
    value: at,
    optional: (path) => (isEmpty(at(path)) ? undefined : at(path)),
    when: (path, value) => (at(path) ? value : undefined),
    unless: (path, value) => (at(path) ? undefined : value),
    text: (path) => `${at(path)}`,
    not: (path) => !at(path),
    choose: (path, yes, no) => (at(path) ? yes : no),
    ports: (path, protocol = 'TCP') => at(path).map((port) => ({ protocol, port })),
    setting: (key, fallback) => `${values.settings[key] ?? fallback}`,
    entries: at,
    namespace: NAMESPACE,
    series: `namespace="${NAMESPACE}"`,
    instance: {},
    // Generated ConfigMaps and Secrets have names of their own whenever they change.
    checksums: undefined,
    hook: () => undefined,
  }
}

/** @returns {Target} */
export function helmTarget() {
  const fullname = `{{ include "${CHART}.fullname" . }}`
  return {
    name: (component) => `${fullname}-${component}`,
    settings: `${fullname}-settings`,
    certificate: '{{ .Values.tls.secret }}',
    secrets: `{{ include "${CHART}.secrets" . }}`,
    image: (image) => `{{ include "${CHART}.image" (dict "root" . "name" "${image}") }}`,
    value: (path) => new Template(`{{ toJson .Values.${path} }}`),
    optional: (path) => new When(`with .Values.${path}`, new Template('{{ toJson . }}')),
    when: (path, value) => new When(`if .Values.${path}`, value),
    unless: (path, value) => new When(`if not .Values.${path}`, value),
    text: (path) => new Template(`{{ .Values.${path} | toString | quote }}`),
    not: (path) => new Template(`{{ not .Values.${path} }}`),
    choose: (path, yes, no) => `{{ if .Values.${path} }}${yes}{{ else }}${no}{{ end }}`,
    ports: (path, protocol = 'TCP') =>
      new Template(`{{ include "${CHART}.ports" (list "${protocol}" .Values.${path}) }}`),
    setting: (key, fallback) => `{{ .Values.settings.${key} | default ${fallback} }}`,
    entries: (path) => ({ [path]: new Entries(`.Values.${path}`) }),
    namespace: '{{ .Release.Namespace }}',
    series: 'namespace="{{ .Release.Namespace }}"',
    instance: { 'app.kubernetes.io/instance': '{{ .Release.Name }}' },
    // Pods are replaced when what they read at their start has changed.
    checksums: {
      'checksum/settings': '{{ toJson .Values.settings | sha256sum }}',
      'checksum/secrets': '{{ toJson .Values.secrets | sha256sum }}',
    },
    hook: (annotations) => annotations,
  }
}

function isEmpty(value) {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Labels of an object of ours. `step` says when `apply.sh` brings it: prepare, migrate or run. */
export function labelsOf(t, component, step = 'run') {
  return { ...selectorOf(t, component), 'app.kubernetes.io/part-of': CHART, 'tms-step': step }
}

/** What tells the pods of a component from all others. */
export function selectorOf(t, component) {
  return { 'app.kubernetes.io/name': component, ...t.instance, 'app.kubernetes.io/part-of': CHART }
}
