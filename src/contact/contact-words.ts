export const SENT = {
  title: 'Message Sent Successfully!',
  description: "Thank you for your message. We'll get back to you soon.",
};

export const NOT_SENT = 'There was a problem sending your message. Please try again.';
