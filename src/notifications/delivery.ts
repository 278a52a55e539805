/** One delivery as staff see it: to whom it goes, and how far it has come. */

/** Colleagues read Teams and the staff's mailbox; the customer's mailbox is the address that was given. */
export const CHANNELS = ['teams', 'mail-staff', 'mail-customer'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** The channels in the words of staff. */
export const RECEIVERS: Record<ChannelName, string> = {
  teams: 'Microsoft Teams',
  'mail-staff': 'staff by email',
  'mail-customer': 'the customer by email',
};

/** 'accepted' is the receiver's word for having taken it over; whether somebody sees it nobody knows. */
export const DELIVERY_STATES = ['waiting', 'accepted', 'set aside'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
