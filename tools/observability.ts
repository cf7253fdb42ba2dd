// Writes deploy/observability from tools/observability/ and the alerts: dashboards, Prometheus' targets and alert rules. With
// --check it writes nothing, and fails if a file is out of date, missing, or no longer generated.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toYaml } from './kubernetes/yaml.ts'
import { dashboards } from './observability/dashboards.ts'
import { toGrafana } from './observability/grafana.ts'
import { alertRules, prometheusConfig } from './observability/prometheus.ts'
import { repoRoot } from './repo-root.ts'

const isCheck = process.argv.includes('--check')
const root = join(repoRoot, 'deploy', 'observability')
const HEADER = '# Written by tools/observability.ts; change its sources, not this file.\n'
const DASHBOARDS = 'grafana/dashboards'

const files: Record<string, string> = {
  'prometheus.yaml': HEADER + toYaml(prometheusConfig({ rulesFile: 'alerts.yaml' })),
  'alerts.yaml': HEADER + toYaml(alertRules()),
  ...Object.fromEntries(
    dashboards.map((dashboard) => [
      `${DASHBOARDS}/${dashboard.uid}.json`,
      `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`,
    ]),
  ),
}
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (isCheck) reportProblem(`${path} is out of date`)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
// Every file in the folder of dashboards is generated.
for (const name of readdirSync(join(root, DASHBOARDS))) {
  if (`${DASHBOARDS}/${name}` in files) continue
  if (isCheck) reportProblem(`${DASHBOARDS}/${name} is no longer generated`)
  else rmSync(join(root, DASHBOARDS, name))
}

function reportProblem(problem: string): void {
  console.error(`deploy/observability/${problem}: run node tools/observability.ts`)
  process.exitCode = 1
}
