import { afterEach, describe, expect, test } from 'vitest'
import { TeamMessagingContainer } from './team-messaging-container.ts'

describe('what has no name is refused when it is asked for, before anything starts', () => {
  const container = new TeamMessagingContainer()
  const nameless = {} as never

  test.each([
    ['withUser needs a fullName', () => container.withUser(nameless)],
    ['withBot needs a fullName', () => container.withBot({ fullName: ' ' })],
    ['withChannel needs a name', () => container.withChannel(nameless)],
  ])('%s', (message, ask) => {
    expect(ask).toThrow(TypeError)
    expect(ask).toThrow(message)
  })
})

describe('the image', () => {
  afterEach(() => {
    delete process.env['TEAM_MESSAGING_IMAGE']
  })

  test('is the one that a variable names, unless the program does', async () => {
    process.env['TEAM_MESSAGING_IMAGE'] = 'mirror.example.com/team-messaging:2'
    const imageOf = (container: TeamMessagingContainer) =>
      (container as unknown as { imageName: { string: string } }).imageName.string

    expect(imageOf(new TeamMessagingContainer())).toBe('mirror.example.com/team-messaging:2')
    expect(imageOf(new TeamMessagingContainer('team-messaging:3'))).toBe('team-messaging:3')
  })
})
