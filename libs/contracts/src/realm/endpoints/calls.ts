import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { optionalJson, optionalText, text } from '../../parameter.ts'

const OFF = 'Refused: calls are held with Jitsi, whose addresses clients make themselves.'
const call = z.object({ url: z.string() })

export const createZoomCall = endpoint({
  name: 'createZoomCall',
  owner: 'realm',
  method: 'POST',
  path: '/calls/zoom/create',
  auth: 'user',
  summary: 'Create a Zoom call',
  description: OFF,
  parameters: { is_video_call: optionalJson(z.boolean()) },
  response: call,
})

export const createBigBlueButtonCall = endpoint({
  name: 'createBigBlueButtonCall',
  owner: 'realm',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  auth: 'user',
  summary: 'Create a BigBlueButton call',
  description: OFF,
  parameters: { meeting_name: text(z.string()), voice_only: optionalText(z.string()) },
  response: call,
})
