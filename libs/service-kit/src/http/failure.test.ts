import { describe, expect, test } from '@jest/globals'
import { badRequest } from '@tms/contracts'
import { asAppError } from './failure.ts'

const failure = (facts: object) => Object.assign(new Error('failed'), facts)
const prismaFailure = (code: string, cause: object) =>
  failure({ code, meta: { driverAdapterError: { cause } } })

describe('asAppError', () => {
  test.each([
    ['the driver can not connect', failure({ code: 'ECONNREFUSED' })],
    ['PostgreSQL is stopping', failure({ code: '57P01' })],
    ['PostgreSQL ended one of two that waited for each other', failure({ code: '40P01' })],
    ['a connection was lost before it was used', new Error('Client was closed and is not queryable')],
    ['Prisma can not connect', prismaFailure('P1001', { kind: 'DatabaseNotReachable' })],
    ['Prisma met a PostgreSQL that is stopping', prismaFailure('P2010', { originalCode: '57P03' })],
    ['the client of S3 can not connect in time', failure({ name: 'TimeoutError' })],
    ['it is the cause of another', new Error('wrapped', { cause: failure({ code: 'ECONNRESET' }) })],
  ])('calls the service unavailable when %s', (_, err) => {
    expect(asAppError(err)?.code).toBe('SERVICE_UNAVAILABLE')
  })

  test.each([
    ['the driver', failure({ code: '22003' })],
    ['Prisma', prismaFailure('P2020', { originalCode: '22003' })],
  ])('blames the request for a value out of range, as %s tells it', (_, err) => {
    expect(asAppError(err)?.code).toBe('BAD_REQUEST')
  })

  test('keeps a refusal as it is', () => {
    const refusal = badRequest('no')

    expect(asAppError(refusal)).toBe(refusal)
  })

  test.each([failure({}), failure({ code: '42601' }), 'thrown text', null])('knows a defect: %p', (err) => {
    expect(asAppError(err)).toBeNull()
  })
})
