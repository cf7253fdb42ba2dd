import { integrations } from '@tms/integrations'

/** The key of the fetch type `realm_incoming_webhook_bots`: what clients need to build the address of an integration. */
export const integrationKeys = {
  realm_incoming_webhook_bots: integrations.map(({ name, displayName, events, parameters }) => ({
    name,
    display_name: displayName,
    all_event_types: events,
    config_options: [],
    url_options: Object.entries(parameters).map(([key, label]) => ({
      key,
      label,
      validator: 'check_string',
    })),
  })),
}
