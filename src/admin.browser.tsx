import './ui/theme.css';
