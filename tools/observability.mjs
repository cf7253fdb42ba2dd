// Writes deploy/observability from tools/observability/ and the alerts: dashboards, whom Prometheus asks, when it tells
// somebody. With --check it writes nothing and fails when a file isn't what they say, is missing, or has nothing to do there.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from './bootstrap.mjs'
import { toYaml } from './kubernetes/yaml.mjs'
import { dashboards } from './observability/dashboards.mjs'
import { toGrafana } from './observability/grafana.mjs'
import { alertRules, prometheusConfig } from './observability/prometheus.mjs'

const isCheck = process.argv.includes('--check')
const root = join(repoRoot, 'deploy', 'observability')
const HEADER = '# Written by tools/observability.mjs; change its sources, not this file.\n'
const DASHBOARDS = 'grafana/dashboards'

const files = {
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
  if (isCheck) complain(`${path} is not what its sources say`)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
// Everything in the folder of dashboards is written here.
for (const name of readdirSync(join(root, DASHBOARDS))) {
  if (`${DASHBOARDS}/${name}` in files) continue
  if (isCheck) complain(`${DASHBOARDS}/${name} is not generated any more`)
  else rmSync(join(root, DASHBOARDS, name))
}

function complain(what) {
  console.error(`deploy/observability/${what}: run node tools/observability.mjs`)
  process.exitCode = 1
}
