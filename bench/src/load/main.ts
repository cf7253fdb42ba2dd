import { serveParent } from '../processes/child-process.ts'
import { createCommands } from './commands.ts'

serveParent(createCommands())
