// The two targets of the same objects: kustomize, with known values, and Helm, with values of the operator.
import { SECRETS, SETTINGS } from './settings.mjs'
import { Entries, Template, When } from './yaml.mjs'

export const CHART = 'team-messaging-service'
/** Namespace of the overlays; operators' copies may set another. */
export const NAMESPACE = 'team-messaging'

/**
 * @typedef {object} Target
 * @property {(component: string) => string} name of a component's objects
 * @property {string} settings name of the ConfigMap
 * @property {string} secrets name of the Secret
 * @property {string} certificate name of the Secret with the services' TLS certificate
 * @property {(component: string, image: string) => unknown} image
 * @property {(path: string) => unknown} value a value of the chart
 * @property {(path: string) => unknown} optional the same, left out if empty
 * @property {(path: string, value: unknown) => unknown} when a value that is present if a flag of the chart is true
 * @property {(path: string, value: unknown) => unknown} unless the opposite of `when`
 * @property {(path: string) => string} text a value of the chart as text
 * @property {(path: string) => unknown} not the negation of a flag
 * @property {(path: string, yes: string, no: string) => string} choose one of two texts, by a flag
 * @property {(path: string, protocol?: string) => unknown} ports ports of a network policy, from a list of numbers; TCP by default
 * @property {(key: string, fallback: number) => string} setting a setting of the services, for use inside a text
 * @property {(path: string) => Record<string, unknown>} entries the entries of an object, to be spread into another
 * @property {string} namespace
 * @property {string} series selects this installation's series in Prometheus
 * @property {Record<string, string>} instance labels that identify this installation
 * @property {Record<string, string> | undefined} checksums annotations of pods
 * @property {(annotations: Record<string, string>) => Record<string, string> | undefined} hook annotations of Helm hooks
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
    // Generated ConfigMaps and Secrets get a new name with every change.
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
    // Replaces pods if the settings that they read at their start have changed.
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

/** Labels of an object. `step` says when `apply.sh` applies it: prepare, migrate or run. */
export function labelsOf(target, component, step = 'run') {
  return { ...selectorOf(target, component), 'app.kubernetes.io/part-of': CHART, 'tms-step': step }
}

/** Labels that select the pods of a component. */
export function selectorOf(target, component) {
  return { 'app.kubernetes.io/name': component, ...target.instance, 'app.kubernetes.io/part-of': CHART }
}
