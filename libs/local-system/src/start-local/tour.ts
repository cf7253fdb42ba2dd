export type TourStep = { title: string; command: string }

/**
 * The commands of the two-minute tour, for any POSIX shell with curl. Run in order in one shell: the first sets
 * variables that the others use.
 */
export function tourSteps(instance: {
  baseUrl: string
  owner: { email: string; apiKey: string }
}): TourStep[] {
  const { baseUrl, owner } = instance
  return [
    {
      title: 'The address, and the account',
      command: `API='${baseUrl}/api/v1'; ME='${owner.email}:${owner.apiKey}'`,
    },
    {
      title: 'Ask the server about itself (no login needed)',
      command: 'curl -sS "$API/server_settings"; echo',
    },
    {
      title: 'Open an event queue and keep its ID',
      command:
        `QUEUE=$(curl -sS -u "$ME" "$API/register" -d 'event_types=["message"]' | ` +
        String.raw`sed -nE 's/.*"queue_id": ?"([^"]+)".*/\1/p'); echo "queue $QUEUE"`,
    },
    {
      title: 'Send a message to channel general, topic hello',
      command:
        'curl -sS -u "$ME" "$API/messages" -d type=channel -d to=general -d topic=hello ' +
        `--data-urlencode 'content=Hello, **world**!'; echo`,
    },
    {
      title: 'See it arrive (without an event this waits for one)',
      command: 'curl -sS -u "$ME" "$API/events?queue_id=$QUEUE&last_event_id=-1"; echo',
    },
    {
      title: 'Read the history of the channel',
      command:
        'curl -sS -u "$ME" -G "$API/messages" -d anchor=newest -d num_before=5 -d num_after=0 ' +
        `--data-urlencode 'narrow=[{"operator":"channel","operand":"general"}]'; echo`,
    },
  ]
}

/** The tour as text: each command under a comment, so that all of it can be pasted at once. */
export function renderTour(steps: readonly TourStep[]): string {
  return steps.map(({ title, command }) => `# ${title}\n${command}`).join('\n')
}
