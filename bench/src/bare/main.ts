import { serveParent } from '../processes/child-process.ts'
import { createBareServers } from './bare-servers.ts'

serveParent(createBareServers())
