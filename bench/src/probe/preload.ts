// Loaded into every service by `--import`: answers what cannot be seen from outside. Does nothing until asked.

import { startProbe } from './probe.ts'

const folder = process.env['BENCH_PROBE_DIR']
if (folder) startProbe(folder)
