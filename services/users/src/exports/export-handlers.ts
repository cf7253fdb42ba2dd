import type { UsersRecord } from '@tms/contracts'
import { exportPartHandlers } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { usersPart } from './users-part.ts'

/** Internal endpoints that export and import users' part of an organization. */
export const exportHandlers = exportPartHandlers<UsersRecord, Context>(usersPart)
