// Writes deploy/observability from tools/observability/: dashboards, Prometheus' targets and alert rules. With --check it writes
// nothing, and fails if a file is out of date, missing, or no longer generated.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { updateGenerated } from './generated-files.ts'
import { toYaml } from './kubernetes/yaml.ts'
import { dashboards } from './observability/dashboards.ts'
import { toGrafana } from './observability/grafana.ts'
import { alertRules, prometheusConfig } from './observability/prometheus.ts'
import { repoRoot } from './repo-root.ts'

const FOLDER = 'deploy/observability'
const DASHBOARDS = `${FOLDER}/grafana/dashboards`
const HEADER = '# Written by tools/observability.ts; change its sources, not this file.\n'

const files: Record<string, string> = {
  [`${FOLDER}/prometheus.yaml`]: HEADER + toYaml(prometheusConfig({ rulesFile: 'alerts.yaml' })),
  [`${FOLDER}/alerts.yaml`]: HEADER + toYaml(alertRules()),
  ...Object.fromEntries(
    dashboards.map((dashboard) => [
      `${DASHBOARDS}/${dashboard.uid}.json`,
      `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`,
    ]),
  ),
}
// Every file in the folder of dashboards is generated.
const existing = readdirSync(join(repoRoot, DASHBOARDS)).map((name) => `${DASHBOARDS}/${name}`)
updateGenerated(
  'observability.ts',
  files,
  existing.filter((path) => !(path in files)),
)
