import { mount } from 'svelte';
import { api } from './api/client';
import App from './App.svelte';
import './styles/base.css';

// The document has asked for the games already; every page takes them from here. Whoever shows them shows the failure too.
api.games().catch(() => {});

mount(App, { target: document.getElementById('app')! });
