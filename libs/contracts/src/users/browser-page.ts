import { z } from 'zod'

/** A page of people who use a session, or begin one. Missing or wrong input is reported on the page. */
export const browserPage = {
  owner: 'users',
  prefix: '',
  auth: 'public',
  answer: 'page',
  takesCookies: true,
  response: z.object({}),
} as const
