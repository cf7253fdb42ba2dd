import { allEndpoints } from '../../libs/contracts/dist/index.js'

/** Endpoints whose duration depends on clients or events: long polls, and uploads and downloads of files. */
export const clientPaced = allEndpoints
  .filter(({ isLongPoll, body, answer }) => isLongPoll || body !== 'fields' || answer === 'file')
  .map(({ name }) => name)
  .sort()

/** Excludes them from a selection of series. */
export const NOT_CLIENT_PACED = `, endpoint!~"${clientPaced.join('|')}"`
