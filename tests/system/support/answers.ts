import type { Answer } from '@tms/test-kit'
import { expect } from 'vitest'

/** An error response in the envelope, for `toMatchObject`. */
export function refusal(code: string, fields: Record<string, unknown> = {}, status = 400): object {
  return { status, body: { result: 'error', code, msg: expect.stringMatching(/./), ...fields } }
}

/** A successful response in the envelope, for `toMatchObject`. */
export function success(fields: Record<string, unknown> = {}): object {
  return { status: 200, body: { result: 'success', msg: '', ...fields } }
}

/** What makes a response unreadable for clients; empty if nothing does. */
export function faultsOf({ status, headers, body }: Omit<Answer, 'text'>): string[] {
  const faults: string[] = []
  if (status >= 500) faults.push(`status ${status}`)
  if (!headers.get('content-type')?.startsWith('application/json')) faults.push('no JSON')
  const { result, msg, code } = body
  if (typeof msg !== 'string') faults.push('no msg')
  if (status === 200 ? result !== 'success' || msg !== '' : result !== 'error' || msg === '')
    faults.push('no envelope')
  if (status !== 200 && typeof code !== 'string') faults.push('no code')
  if (typeof msg === 'string' && /\bat .+:\d+:\d+|node_modules/.test(msg)) faults.push('a stack trace')
  return faults
}
