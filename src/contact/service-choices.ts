/** What a message may be about: stored by value, shown by label. A file of its own, so that the form shows before any schema is loaded. */
export const SERVICE_CHOICES = {
  'managed-it': 'IT Managed Services',
  network: 'Network Support & Maintenance',
  cybersecurity: 'Cybersecurity Services',
  hardware: 'Hardware Procurement & Integration',
  telecom: 'Telecommunications Services',
  voip: 'VoIP Services',
  cellular: 'Cellular Services',
  internet: 'Internet Services',
  cloud: 'Cloud Services',
  virtual: 'Virtual Infrastructure',
  saas: 'Software-as-a-Service',
  consulting: 'IT Consulting',
  other: 'Other',
} as const;
