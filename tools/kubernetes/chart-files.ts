// The generated files of the Helm chart: the schema of its values, and what its templates need from the services' declarations.
import { Document, isScalar, visit } from 'yaml'
import { createAlertRules } from '../observability/alerts.ts'
import { servers } from './components.ts'
import { listKeys, type Setting, type SettingsByService } from './settings.ts'
import { createValuesSchema } from './values-schema.ts'
import { toYaml, YAML_OPTIONS } from './yaml.ts'

export interface ChartInputs {
  version: string
  settingsByService: SettingsByService
  /** The text of values.yaml. */
  values: string
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
  values,
  publicPaths,
}: ChartInputs): Record<string, string> {
  const requiredSecrets = listKeys(settingsByService, 'secret').filter(({ isRequired }) => isRequired)
  return {
    'Chart.yaml': toYaml({ ...CHART, version, appVersion: version }),
    'values.schema.json': `${JSON.stringify(createValuesSchema(values, settingsByService), null, 2)}\n`,
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
  return {
    name,
    migrates: names.has('DATABASE_URL'),
    calls: callsOf(settings),
    callers: Object.keys(settingsByService).filter((other) =>
      callsOf(settingsByService[other]).includes(name),
    ),
    servers: Object.entries(servers).flatMap(([setting, server]) => (names.has(setting) ? [server] : [])),
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
