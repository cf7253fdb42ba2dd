import { z } from 'zod'

/** What setting up an integration has made. */
export const createdIntegration = z.object({
  user_id: z.int().describe('The bot that posts what arrives.'),
  full_name: z.string(),
  api_key: z.string(),
  url: z.string().describe('The address to give to the program. It contains the key of the bot.'),
  setup: z.string().describe('How to set up the program, in Markdown, with the address filled in.'),
})
