import { ContactForm } from './contact-form.tsx';

export default { ContactForm };
