import { serveParent } from '../child-process.ts'
import { createCommands } from './commands.ts'

serveParent(createCommands())
