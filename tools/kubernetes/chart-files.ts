// The generated files of the Helm chart: values, their schema, and what its templates need from the services' declarations.
import { Document, isScalar, visit } from 'yaml'
import { createAlertRules } from '../observability/alerts.ts'
import { components, servers } from './components.ts'
import { listKeys, type Setting, type SettingsByService } from './settings.ts'
import { type DeclaredValue, toJsonSchema } from './values.ts'
import { toYaml, YAML_OPTIONS } from './yaml.ts'

export interface ChartInputs {
  version: string
  settingsByService: SettingsByService
  declaredValues: readonly DeclaredValue[]
  /** First parts of the paths for clients. */
  publicPaths: readonly string[]
}

const CHART = {
  apiVersion: 'v2',
  name: 'team-messaging-service',
  description: 'A team-chat backend: channels with topics, direct messages, and long-polled event queues.',
  type: 'application',
  kubeVersion: '>=1.27.0-0',
}

/** The files by path. */
export function chartFiles({
  version,
  settingsByService,
  declaredValues,
  publicPaths,
}: ChartInputs): Record<string, string> {
  const requiredSecrets = listKeys(settingsByService, 'secret').filter(({ isRequired }) => isRequired)
  return {
    'Chart.yaml': toYaml({ ...CHART, version, appVersion: version }),
    'values.yaml': valuesFile(declaredValues),
    'values.schema.json': `${JSON.stringify(toJsonSchema(declaredValues), null, 2)}\n`,
    'declarations.yaml': inShortLines({
      services: Object.entries(settingsByService).map((entry) => describeService(entry, settingsByService)),
      publicPaths: ['/', ...publicPaths.map((path) => `/${path}`)],
      requiredSecrets: requiredSecrets.map(({ key }) => key),
    }),
    'alerts.yaml': toYaml(alertTemplates(settingsByService)),
  }
}

function describeService(
  [name, settings]: readonly [string, readonly Setting[]],
  settingsByService: SettingsByService,
): object {
  const names = new Set(settings.map((setting) => setting.name))
  const component = components[name]
  return {
    name,
    migrates: component?.migrates ?? false,
    ...(component?.spool ? { spool: component.spool } : {}),
    calls: callsOf(settings),
    callers: Object.keys(settingsByService).filter((other) =>
      callsOf(settingsByService[other]).includes(name),
    ),
    servers: Object.keys(servers).filter((server) => names.has(servers[server]?.setting ?? '')),
    variables: settings.map((setting) => ({
      ...{ name: setting.name, ...setting.source },
      ...(setting.isRequired || 'service' in setting.source || 'value' in setting.source
        ? {}
        : { optional: true }),
    })),
  }
}

function callsOf(settings: readonly Setting[] = []): string[] {
  return settings.flatMap(({ source }) => ('service' in source ? [source.service] : []))
}

/** The alerts as a template of Helm. */
function alertTemplates({ events = [] }: SettingsByService): object {
  const partitions = events.find(({ name }) => name === 'EVENTS_PARTITIONS')
  const namespace = '{{ .Release.Namespace }}'
  return createAlertRules(
    {
      series: `namespace="${namespace}"`,
      partitions: `{{ .Values.settings.EVENTS_PARTITIONS | default ${Number(partitions?.fallback)} }}`,
    },
    { namespace },
  )
}

/** Values in the order of their declaration, each with its comment above it. */
function valuesFile(declared: readonly DeclaredValue[]): string {
  let open: string[] = []
  const lines = declared.map(({ path, value, comment }) => {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    const shared = keys.findIndex((key, depth) => key !== open[depth])
    const opened = (shared < 0 ? [] : keys.slice(shared)).map(
      (key, depth) => `${'  '.repeat(shared + depth)}${key}:\n`,
    )
    open = keys
    const text = [
      ...(comment === '' ? [] : comment.split('\n').map((line) => `# ${line}`)),
      toYaml({ [last]: value }).trimEnd(),
    ]
    return [...opened, `${text.join('\n')}\n`.replaceAll(/^(?=.)/gm, '  '.repeat(keys.length))].join('')
  })
  return `\n${lines.join('\n')}`
}

/** YAML in which lists and objects of plain values are in a line each. */
function inShortLines(value: object): string {
  const document = new Document(value, YAML_OPTIONS)
  visit(document, {
    Map: (_, node) => {
      node.flow = node.items.every((pair) => isScalar(pair.value))
    },
    Seq: (_, node) => {
      node.flow = node.items.every(isScalar)
    },
  })
  return document.toString(YAML_OPTIONS)
}
