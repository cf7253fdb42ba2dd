import { runService } from '@tms/service-kit'
import { configSchema } from './config.ts'
import { createService } from './service.ts'

void runService('users', configSchema, process.env, createService)
