import { serveParent } from '../child-process.ts'
import { createBareServers } from './bare-servers.ts'

serveParent(createBareServers())
