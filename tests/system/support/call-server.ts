import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An open meeting. */
export interface Meeting {
  readonly name: string
  readonly isVoiceOnly: boolean
  readonly createTime: string
}

/** A BigBlueButton server, as far as its API is used here: it verifies signatures, and records who joins when. */
export interface CallServer {
  /** As `bbb-conf --secret` prints it. */
  readonly url: string
  readonly secret: string
  /** By ID. */
  readonly meetings: ReadonlyMap<string, Meeting>
  /** Ends all meetings, as when everybody has left. */
  endMeetings(): void
  /** Verifies signatures with another secret from now on. */
  changeSecret(secret: string): void
  close(): void
}

/** Starts one on this machine. */
export async function startCallServer(): Promise<CallServer> {
  const secret = 'the secret of the call server'
  let known = secret
  let created = 1_700_000_000_000
  const meetings = new Map<string, Meeting>()
  const failed = (key: string) =>
    `<response><returncode>FAILED</returncode><messageKey>${key}</messageKey></response>`

  const isSigned = (call: string, query: string): boolean => {
    const [, signed = '', checksum = ''] = /^(.*)&checksum=([0-9a-f]{64})$/.exec(query) ?? []
    return createHash('sha256').update(`${call}${signed}${known}`).digest('hex') === checksum
  }
  const create = (asked: URLSearchParams): string => {
    const [id, name] = [asked.get('meetingID') ?? '', asked.get('name') ?? '']
    if (id === '' || [...name].length < 2) return failed('validationError')
    const meeting = meetings.get(id) ?? {
      name,
      isVoiceOnly: asked.get('lockSettingsDisableCam') === 'true',
      createTime: String(created++),
    }
    meetings.set(id, meeting)
    return `<response><returncode>SUCCESS</returncode><meetingID>${id}</meetingID><createTime>${meeting.createTime}</createTime><messageKey></messageKey></response>`
  }
  /** The page that `join` leads to. */
  const join = (asked: URLSearchParams): string => {
    const meeting = meetings.get(asked.get('meetingID') ?? '')
    if (!meeting) return failed('invalidMeetingIdentifier')
    if (asked.get('createTime') !== meeting.createTime) return failed('mismatchCreateTimeParam')
    const words = `${asked.get('fullName')} is in ${meeting.name} as ${asked.get('role')}`
    return `<!doctype html><title>call</title><h1>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</h1>`
  }

  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const call = path.replace('/bigbluebutton/api/', '')
    const asked = new URLSearchParams(query)
    if (!isSigned(call, query)) return response.end(failed('checksumError'))
    if (call === 'create') return response.setHeader('content-type', 'text/xml').end(create(asked))
    return response.setHeader('content-type', 'text/html; charset=utf-8').end(join(asked))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bigbluebutton/`,
    secret,
    meetings,
    endMeetings: () => meetings.clear(),
    changeSecret: (next) => {
      known = next
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
