import { badRequest } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../postgres/unavailable.ts'
import { asAppError } from './failure.ts'

const failure = (projection: object) => Object.assign(new Error('failed'), projection)
const prismaFailure = (code: string, cause: object) =>
  failure({ code, meta: { driverAdapterError: { cause } } })

describe('asAppError', () => {
  test.each([
    ['the driver cannot connect', failure({ code: 'ECONNREFUSED' })],
    ['PostgreSQL is stopping', failure({ code: '57P01' })],
    ['PostgreSQL ended one of two that waited for each other', failure({ code: '40P01' })],
    ['a connection was lost before it was used', new Error('Client was closed and is not queryable')],
    ['Prisma cannot connect', prismaFailure('P1001', { kind: 'DatabaseNotReachable' })],
    ['Prisma met a PostgreSQL that is stopping', prismaFailure('P2010', { originalCode: '57P03' })],
    ['PostgreSQL takes no writes', failure({ code: '25006' })],
    ['Prisma met one that takes no writes', prismaFailure('P2010', { originalCode: '25006' })],
    ['a standby says so by words alone', new Error('cannot assign TransactionIds during recovery')],
    [
      'a standby ended a statement',
      failure({ message: 'canceling statement due to conflict with recovery' }),
    ],
    ['PostgreSQL recovers', failure({ code: '57P03' })],
    ['PostgreSQL ended a statement that took too long', failure({ code: '57014' })],
    ['it was silent in a transaction for too long', failure({ code: '25P03' })],
    ['no server will do', new DatabaseUnavailableError('No PostgreSQL will do')],
    ['the client of S3 cannot connect in time', failure({ name: 'TimeoutError' })],
    ['it is the cause of another', new Error('wrapped', { cause: failure({ code: 'ECONNRESET' }) })],
  ])('reports an unavailable service if %s', (_, err) => {
    expect(asAppError(err)?.code).toBe('SERVICE_UNAVAILABLE')
  })

  test.each([
    ['the driver', failure({ code: '22003' })],
    ['Prisma', prismaFailure('P2020', { originalCode: '22003' })],
  ])('blames the request for a value out of range, reported by %s', (_, err) => {
    expect(asAppError(err)?.code).toBe('BAD_REQUEST')
  })

  test('returns an AppError unchanged', () => {
    const refusal = badRequest('no')

    expect(asAppError(refusal)).toBe(refusal)
  })

  test.each([failure({}), failure({ code: '42601' }), 'thrown text', null])('reports a bug for %p', (err) => {
    expect(asAppError(err)).toBeNull()
  })
})
